#!/usr/bin/env -S node --max-semi-space-size=32 --v8-pool-size=2
/** `npx footfall` serves; `npx footfall setup …` and others run the other commands. */
import { fileURLToPath } from 'node:url'

const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  serve: () => import('./serve.ts'),
  setup: () => import('./setup.ts'),
  token: () => import('./token.ts'),
  'sign-in-link': () => import('./sign-in-link.ts'),
  import: () => import('./import.ts'),
  probe: () => import('./probe.ts'),
  demo: () => import('./demo.ts'),
}

const [, , asked = ''] = process.argv
const name = asked.startsWith('-') || asked === '' ? 'serve' : asked
const command = commands[name]
if (command) {
  if (name === asked) process.argv.splice(1, 2, `${fileURLToPath(import.meta.url)} ${name}`)
  await command()
} else {
  process.stderr.write(`footfall ${asked}: there is no such command. There are ${Object.keys(commands).join(', ')}.\n`)
  process.exitCode = 1
}
