import { tokenIn } from './kubeconfig.ts';
import { type Holder, offeredText, type Place, type Stock } from './stock.ts';
import { readToken } from './token.ts';

/** How it stands with the credential that is offered to an app cluster. */
export type Standing =
  /** There is none that this backend issued and that still works. */
  | { readonly is: 'absent' }
  /** It works, but should be replaced. */
  | { readonly is: 'aging'; readonly token: string; readonly anchor: Holder; readonly issuedAt: Date }
  | {
      readonly is: 'fresh';
      readonly token: string;
      readonly anchor: Holder;
      readonly issuedAt: Date;
      /** When it will be aging. */
      readonly renewAt: Date;
    };

/** Judges the credential that is offered. It works as long as its account and its anchor exist and its time is not over. */
export function judgeStanding({ namespace }: Place, stock: Stock, now: Date): Standing {
  const token = tokenIn(offeredText(stock));
  const facts = token === undefined ? undefined : readToken(token);
  const anchor = stock.anchors.find(({ name, uid }) => name === facts?.anchor?.name && uid === facts.anchor.uid);
  if (token === undefined || !facts || !anchor) return { is: 'absent' };
  if (facts.namespace !== namespace || facts.account.uid !== stock.account?.uid) return { is: 'absent' };
  const { issuedAt, expiresAt, retireAt } = anchor;
  if (!issuedAt || !expiresAt || expiresAt <= now) return { is: 'absent' };
  const renewAt = new Date((issuedAt.getTime() + expiresAt.getTime()) / 2);
  if (retireAt || renewAt <= now) return { is: 'aging', token, anchor, issuedAt };
  return { is: 'fresh', token, anchor, issuedAt, renewAt };
}
