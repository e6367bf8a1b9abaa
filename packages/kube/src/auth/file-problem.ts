/** Why a file could not be read, as the end of a sentence that begins with the file's name. */
export function fileProblem(error: unknown): string {
  const code = codeOf(error);
  return problems[code] ?? `cannot be read (${code})`;
}

/** The system's code of an I/O error, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return 'unknown error';
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is a file, not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'may not be read by this user (permission denied)',
  EPERM: 'may not be read by this user (operation not permitted)',
  ELOOP: 'cannot be reached: its symbolic links form a circle',
  ENAMETOOLONG: 'has a name that is too long',
};
