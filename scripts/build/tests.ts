/**
 * Tests run from `dist/tests/`, built as the service is: with a loader for TypeScript every one of their processes
 * would spend two seconds of work on the same files again.
 */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { programs, root } from './options.ts'

const outdir = 'dist/tests'

/** @returns the built files, in the same order */
export async function buildTests(files: readonly string[]): Promise<string[]> {
  fs.rmSync(path.join(root, outdir), { recursive: true, force: true })
  const outputs = files.map(file => `${outdir}/${file.replace(/^tests\//, '').replace(/\.ts$/, '')}`)
  const sources = new Map(files.map((file, index) => [outputs[index] ?? '', file]))
  const [fromSources, bundled] = [[...sources].filter(([, file]) => importsWhatItWrote(file)), [...sources].filter(([, file]) => !importsWhatItWrote(file))]
  await build({
    ...programs(Object.fromEntries(bundled.map(([output, file]) => [path.relative(outdir, output), file])), outdir),
    plugins: [keepAddresses],
  })
  for (const [output, file] of fromSources) {
    fs.mkdirSync(path.dirname(path.join(root, output)), { recursive: true })
    fs.writeFileSync(path.join(root, `${output}.js`), `await import('tsx')\nawait import(${JSON.stringify(pathToFileURL(path.join(root, file)).href)})\n`)
  }
  return outputs.map(output => `${output}.js`)
}

/** Such a test imports TypeScript that was not there when it was built. */
function importsWhatItWrote(file: string): boolean {
  return /\bimport\((?!['"])/.test(fs.readFileSync(path.join(root, file), 'utf8'))
}

/** Tests and tools find what lies beside their sources. */
const keepAddresses: Plugin = {
  name: 'keep addresses',
  setup: ({ onLoad }) => onLoad({ filter: /\/(tests|scripts)\/.*\.m?[jt]s$/ }, async ({ path: file }) => {
    if (!/^(tests|scripts)\//.test(path.relative(root, file))) return undefined // some package's
    const source = await fs.promises.readFile(file, 'utf8')
    return { loader: file.endsWith('ts') ? 'ts' : 'js', contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)) }
  }),
}
