#!/usr/bin/env node
// kubectl runs this for `kubectl bind`: the same program, with `bind` said already.
process.argv.splice(2, 0, 'bind');
await import('./klutch.js');
