/** `npm run changelog`: prints or joins the changes of the next release. changes/README.md says more. */
import fs from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { root } from './build/root.ts'
import { changesIn, digestOf, joined, partsOf, released } from './release/changelog.ts'

const program = new Command('npm run changelog --')
  .option('--join <version>', 'write the section of this version into CHANGELOG.md, and delete the files')
  .option('--day <day>', 'the day of the release, as 2026-12-01', new Date().toISOString().slice(0, 10))
  .option('--check', 'fail if changes wait, as a release has none')
  .parse()
const { join, day, check } = program.opts<{ join?: string; day: string; check?: boolean }>()

const folder = path.join(root, 'changes')
const file = path.join(root, 'CHANGELOG.md')
const changelog = fs.readFileSync(file, 'utf8')
const changes = changesIn(folder)
if (check) {
  if (changes.length > 0 || partsOf(changelog).unreleased.size > 0) {
    process.stderr.write('Changes wait for a release: npm run changelog -- --join <version>\n')
    process.exitCode = 1
  }
} else if (join === undefined) process.stdout.write(joined(changelog, changes))
else {
  if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(join)) throw new Error(`${join} is not a version such as 0.7.0`)
  if (changelog.includes(`\n## ${join} `)) throw new Error(`CHANGELOG.md has ${join} already`)
  const text = released(changelog, changes, { version: join, day })
  fs.writeFileSync(file, text)
  fs.writeFileSync(path.join(folder, 'released.sha256'), `${digestOf(text)}\n`)
  for (const each of changes) fs.rmSync(path.join(folder, each.file))
}
