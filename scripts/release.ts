/**
 * `npm run release`: writes what would be published into `release/`, from a clean clone of the current commit: the npm tarball,
 * standalone archives with Node inside, the parts list, the notes, the provenance, and checksums of all of them. It publishes nothing.
 * Two runs on one commit write the same bytes. It needs git, GNU tar and npm's registry.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { nodeOf } from './smoke/nodes.ts'
import { root } from './build/root.ts'
import { archive } from './release/archive.ts'
import { releaseNotes } from './release/notes.ts'
import { provenance } from './release/provenance.ts'
import { partsList } from './release/sbom.ts'
import { digest, npm } from './release/shell.ts'
import { built, cloned, PLACEHOLDER } from './release/source.ts'
import { targets } from './release/targets.ts'

const program = new Command('npm run release --')
  .option('--out <folder>', 'where to write the files', 'release')
  .option(
    '--repository <address>',
    'address of the repository, which replaces the placeholder everywhere',
    process.env.REPOSITORY ?? PLACEHOLDER,
  )
  .option('--only <machines...>', `archives for these machines only: ${targets.map(({ name }) => name).join(', ')}`)
  .parse()
const options = program.opts<{ out: string; repository: string; only?: string[] }>()

const out = path.resolve(options.out)
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-release-'))
const print = (line: string) => process.stderr.write(`${line}\n`)
try {
  fs.rmSync(out, { recursive: true, force: true })
  fs.mkdirSync(out, { recursive: true })
  const source = cloned(root, path.join(work, 'source'), options.repository.replace(/\/$|\.git$/, ''))
  print(`Footfall ${source.version}, commit ${source.commit}: installing and building …`)
  built(source)
  npm(source.folder, ['pack', '--ignore-scripts', '--pack-destination', out])
  const files = [path.join(out, `footfall-${source.version}.tgz`)]
  const node = nodeOf('22').program
  for (const target of targets) {
    if (options.only && !options.only.includes(target.name)) continue
    print(`Archive for ${target.name} …`)
    files.push(archive(source, target, { work, out, node }))
  }
  const add = (name: string, text: string) => {
    const file = path.join(out, name)
    fs.writeFileSync(file, text)
    files.push(file)
  }
  add(`footfall-${source.version}.cdx.json`, partsList(source))
  add('provenance.json', provenance(source, files))
  add('NOTES', releaseNotes(source))
  fs.writeFileSync(path.join(out, 'SHA256SUMS'), files.map(file => `${digest(file).toString('hex')}  ${path.basename(file)}\n`).join(''))
  for (const file of files)
    print(`${String(Math.ceil(fs.statSync(file).size / 1_000)).padStart(8)} kB  ${path.relative(process.cwd(), file)}`)
} finally {
  fs.rmSync(work, { recursive: true, force: true })
}
