/** Numbers of which the last digit proves the others. */

const ISBN_10 = /^(?:\d{9}X|\d{10})$/;
const ISBN_13 = /^\d{13}$/;
const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

const withoutBlanks = (text: string) => text.replace(/[\s-]+/g, '');

export function isIsbn10(text: string): boolean {
  const digits = withoutBlanks(text);
  if (!ISBN_10.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, at) => total + (at + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutBlanks(text);
  if (!ISBN_13.test(digits)) return false;
  const sum = Array.from(digits.slice(0, 12)).reduce(
    (total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return Number(digits.at(-1)) === (10 - (sum % 10)) % 10;
}

/** A card number of a known kind, with the check of Luhn; anything that is not a digit is ignored. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.at(-1 - at));
    const doubled = digit * 2;
    sum += at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
