/** The text of a body, of at most so many characters; throws when there are more. */
export async function limitedText(body: AsyncIterable<Uint8Array>, mostCharacters: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    if (text.length > mostCharacters) throw new Error('the answer is too long');
  }
  return text + decoder.decode();
}
