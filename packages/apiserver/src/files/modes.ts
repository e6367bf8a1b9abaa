/** Keys, and objects among which are Secrets: for the owner's eyes only. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** The bits of a mode that let others in. */
export const OTHERS = 0o077;
