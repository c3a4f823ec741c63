/**
 * Tests run from `dist/tests/`, bundled like the service: with a TypeScript loader every test process would spend two
 * seconds on the same files.
 */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { programs, root } from './options.ts'

/**
 * @param outdir a new folder under `dist/tests/`
 * @returns the built files, in the same order
 */
export async function buildTests(files: readonly string[], outdir: string): Promise<string[]> {
  const isBundled = (file: string) => !importsWhatItWrote(file)
  const entries = [...files.filter(isBundled), ...new Set(files.flatMap(file => programsIn(file)))]
  await build({ ...programs(Object.fromEntries(entries.map(file => [nameOf(file), file])), outdir), plugins: [keepAddresses] })
  await stop() // its process would live as long as ours
  for (const file of files.filter(file => !isBundled(file))) {
    const output = path.join(root, outdir, `${nameOf(file)}.js`)
    fs.mkdirSync(path.dirname(output), { recursive: true })
    fs.writeFileSync(output, `await import('tsx')\nawait import(${JSON.stringify(pathToFileURL(path.join(root, file)).href)})\n`)
  }
  return files.map(file => `${outdir}/${nameOf(file)}.js`)
}

const nameOf = (file: string): string => file.replace(/^(?:tests\/)?(.*)\.ts$/, '$1')
const sourceOf = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')

/** Programs that a test starts as processes, by itself or by what it imports from `tests/`. */
function programsIn(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || !fs.existsSync(path.join(root, file))) return [] // what a test writes imports, too
  seen.add(file)
  const source = sourceOf(file)
  const named = [...source.matchAll(/\bprogramOf\('([^']+)'\)/g)].flatMap(([, program]) => program ?? [])
  const imported = [...source.matchAll(/\bfrom '(\.[^']+\.ts)'/g)].map(([, name = '']) => path.join(path.dirname(file), name))
  return [...named, ...imported.filter(name => name.startsWith('tests/')).flatMap(name => programsIn(name, seen))]
}

/** Whether the test imports TypeScript that it writes itself, which cannot be bundled before. */
function importsWhatItWrote(file: string): boolean {
  return /\bimport\((?!['"])/.test(sourceOf(file))
}

/** Keeps `import.meta.url`, so that tests and tools find files beside their sources; in quotes it is a name for esbuild. */
const keepAddresses: Plugin = {
  name: 'keep addresses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(tests|scripts|tracker)\/.*\.m?[jt]s$/ }, async ({ path: file }) => {
      if (!/^(tests|scripts|tracker)\//.test(path.relative(root, file))) return undefined // a file of a package
      const source = await fs.promises.readFile(file, 'utf8')
      return {
        loader: file.endsWith('ts') ? 'ts' : 'js',
        contents: source
          .replaceAll(/(?<!')import\.meta\.url/g, JSON.stringify(pathToFileURL(file).href))
          .replaceAll(/(?<!')import\.meta\.filename/g, JSON.stringify(file)),
      }
    }),
}
