/** What PEM text is meant to hold. */
export type PemContent = 'certificate' | 'key';

/**
 * Says what is wrong with PEM text that should hold certificates or a private key, as the end of a sentence that begins
 * with where the text is from; `undefined` when its structure is right. Never repeats the text.
 */
export function pemProblem(text: string, content: PemContent): string | undefined {
  const blocks = blocksOf(text);
  const wanted = content === 'certificate' ? 'a certificate' : 'a private key';
  if (blocks.length === 0) return `does not hold ${wanted} in PEM form (${exampleOf[content]} …)${hint(text)}`;
  const fitting = blocks.find((block) => fits(block.type, content));
  if (fitting === undefined) return `holds PEM, but not ${wanted}: it is "${blocks[0]?.type}"`;
  if (fitting.encrypted) return 'holds a private key that is protected by a passphrase; store it without one';
  return undefined;
}

interface PemBlock {
  readonly type: string;
  readonly encrypted: boolean;
}

const exampleOf = { certificate: '-----BEGIN CERTIFICATE-----', key: '-----BEGIN PRIVATE KEY-----' } as const;

function blocksOf(text: string): PemBlock[] {
  // The body ends at the next five dashes, whatever they are, so that hostile text cannot make the search quadratic.
  const block = /-----BEGIN ([A-Z0-9 ]{1,64})-----\r?\n((?:(?!-----)[\s\S])*)-----END \1-----/g;
  return [...text.matchAll(block)].map(([, type = '', body = '']) => ({
    type,
    encrypted: type.startsWith('ENCRYPTED') || body.includes('ENCRYPTED'),
  }));
}

function fits(type: string, content: PemContent): boolean {
  return content === 'certificate' ? type === 'CERTIFICATE' : type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
}

function hint(text: string): string {
  // "-----BEGIN" in base64.
  if (text.trimStart().startsWith('LS0tLS1CRUdJTi')) return '; it is base64, probably encoded once too often';
  if (text.includes('-----BEGIN ')) return '; a block begins but does not end, so the text is probably cut off';
  return '';
}
