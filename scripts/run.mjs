/**
 * Runs a script of ours in plain Node: `node scripts/run.mjs scripts/serve.ts …`. The TypeScript is bundled first, in a
 * tenth of a second; with a loader doing that while the service runs it would start half a second later, and stay
 * 60 MB larger. In every file `import.meta.url` stays that of its source.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, stop } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const [, , entry] = process.argv
const outfile = path.join(root, 'dist', `${path.basename(entry, '.ts')}.mjs`)

const keepAddresses = {
  name: 'keep-addresses',
  setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, async ({ path: file }) => ({
    loader: 'ts',
    contents: (await readFile(file, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
  })),
}

await build({
  entryPoints: [path.resolve(root, entry)], outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm',
  target: 'node20', sourcemap: 'linked', logLevel: 'error', plugins: [keepAddresses],
})
stop()
process.setSourceMapsEnabled(true)
process.argv.splice(1, 2, outfile)
await import(pathToFileURL(outfile).href)
