#!/usr/bin/env node
import { run } from './run.js';

// kubectl runs this for `kubectl bind`: the same program, with `bind` already given.
await run(['bind', ...process.argv.slice(2)], 'kubectl');
