/**
 * Runs a script of ours in plain Node: `node scripts/run.mjs scripts/serve.ts …`. The TypeScript is bundled first, in a
 * tenth of a second; with a loader doing that while the service runs it would start half a second later, and stay
 * 60 MB larger. In every file `import.meta.url` stays that of its source.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
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

const { outputFiles } = await build({
  entryPoints: [path.resolve(root, entry)], outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm',
  target: 'node20', sourcemap: 'linked', sourcesContent: false, logLevel: 'error', plugins: [keepAddresses], write: false,
})
stop()
await mkdir(path.dirname(outfile), { recursive: true })
for (const { path: file, contents } of outputFiles) { // whole or not at all: another start may be reading it
  await writeFile(`${file}.${process.pid}`, contents)
  await rename(`${file}.${process.pid}`, file)
}
process.setSourceMapsEnabled(true)
process.argv.splice(1, 2, outfile)
await import(pathToFileURL(outfile).href)
