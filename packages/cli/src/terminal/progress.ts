import { stripVTControlCharacters } from 'node:util';
import { createColors } from 'picocolors';
import type { Terminal } from './terminal.ts';

/**
 * Tells a user, on standard error, what a command is doing. At a screen work that lasts has a moving picture; for a program
 * each remark is a plain line, without colours and without anything that moves.
 *
 * ```ts
 * const progress = createProgress(terminal);
 * await progress.during('Waiting for the login', () => login(signal));
 * progress.done('Logged in.');
 * ```
 */
export interface Progress {
  /** A remark. */
  note(text: string): void;
  /** Something was achieved. */
  done(text: string): void;
  /** Something the user should know before it hurts. */
  warn(text: string): void;
  /**
   * Says what is being done while `work` lasts, and gives its outcome through. `say` replaces the text. A program is told
   * the first text once, and none of the later ones.
   */
  during<T>(text: string, work: (say: (text: string) => void) => Promise<T>): Promise<T>;
}

/** How progress is told on this terminal. Texts may come from elsewhere: what a screen would act upon is taken out. */
export function createProgress(terminal: Pick<Terminal, 'tell' | 'draw' | 'reader'>): Progress {
  const { dim, green, yellow, cyan } = createColors(terminal.reader === 'coloured screen');
  const isWatched = terminal.reader !== 'program';
  const tell = (mark: string, text: string) => terminal.tell(isWatched ? `${mark} ${plain(text)}` : plain(text));
  return {
    note: (text) => tell(dim('·'), text),
    done: (text) => tell(green('✓'), text),
    warn: (text) => terminal.tell(`${yellow(isWatched ? '! Warning:' : 'Warning:')} ${plain(text)}`),
    during: async (text, work) => {
      const { draw } = terminal;
      if (!isWatched || draw === undefined) {
        terminal.tell(`${plain(text)} …`);
        return await work(() => undefined);
      }
      let shown = plain(text);
      let frame = 0;
      const paint = () => draw(`${cyan(frames[frame++ % frames.length] ?? '')} ${shown} …`);
      paint();
      const timer = setInterval(paint, frameMs);
      try {
        return await work((next) => {
          shown = plain(next);
          paint();
        });
      } finally {
        clearInterval(timer);
        draw('');
      }
    },
  };
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;

/** Without anything a terminal would act upon; line ends stay. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, '');
}
