import { accepted, refused, reporting, type Row, updating, yields } from '../row.ts';

const condition = { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-31T12:00:00Z' };
const full = { ...condition, severity: 'Error', reason: 'Why', message: 'Because.' };

/** What holds for the conditions of every kind. */
export const conditionRows: readonly Row[] = [
  ...['True', 'False', 'Unknown'].map((status) =>
    reporting(`accepts a condition that is ${status}`, { conditions: [{ ...condition, status }] }, accepted),
  ),
  reporting(
    'refuses a condition that is neither True nor False nor Unknown',
    { conditions: [{ ...condition, status: 'Maybe' }] },
    refused('status.conditions[0].status', 'supported values'),
  ),
  ...['Error', 'Warning', 'Info'].map((severity) =>
    reporting(`accepts a condition of severity ${severity}`, { conditions: [{ ...full, severity }] }, accepted),
  ),
  reporting(
    'refuses a condition of another severity',
    { conditions: [{ ...full, severity: 'Fatal' }] },
    refused('status.conditions[0].severity', 'supported values'),
  ),
  ...['type', 'status', 'lastTransitionTime'].map((field) =>
    reporting(
      `requires the ${field} of a condition`,
      { conditions: [{ ...full, [field]: undefined }] },
      refused(`status.conditions[0].${field}`, 'Required'),
    ),
  ),
  reporting(
    'refuses a time that is not RFC 3339',
    { conditions: [{ ...condition, lastTransitionTime: 'yesterday' }] },
    refused('status.conditions[0].lastTransitionTime', 'date-time'),
  ),
  updating(
    'takes a status only through its subresource',
    {},
    { 'status.conditions': [condition] },
    yields({ 'status.conditions': undefined }),
  ),
];
