#!/usr/bin/env node
import { run } from './run.js';

// kubectl runs this to complete `kubectl bind …`, with the words after `bind`.
await run(['__complete', 'bind', ...process.argv.slice(2)], 'kubectl');
