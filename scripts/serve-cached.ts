/** `dist/serve.js`: runs `scripts/serve.ts`, which is built as one file with a code cache. */
import { createRequire } from 'node:module'
import { runProgram } from './code-cache.mjs'

if (import.meta.built) runProgram(createRequire(import.meta.url).resolve('#built/serve.cjs'))
else await import('./serve.ts')
