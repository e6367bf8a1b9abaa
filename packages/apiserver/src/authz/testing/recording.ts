import { readFileSync } from 'node:fs';

/** Cases recorded from kube-apiserver 1.35.4, one JSON value per line. */
export function readRecording<Case>(file: URL): Case[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): Case => JSON.parse(line));
}
