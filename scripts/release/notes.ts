/** The notes of a release: the section of the changelog, and how to get and check the files. */
import fs from 'node:fs'
import path from 'node:path'
import type { Source } from './source.ts'

const UPGRADING = 'docs/upgrading.md'

/** @throws Error if the changelog has no section of the version */
export function sectionOf(changelog: string, version: string): string {
  const section = changelog.split(/^## /m).find(each => /^\S+/.exec(each)?.[0] === version)
  if (section === undefined) throw new Error(`CHANGELOG.md has no section of ${version}`)
  return section.slice(section.indexOf('\n')).trim()
}

export function releaseNotes({ folder, version, repository, commit }: Source): string {
  const changes = sectionOf(fs.readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8'), version)
  return `# Footfall ${version}

${changes}

## Install

- Standalone, with Node inside: unpack \`footfall-${version}-<machine>.tar.gz\`, and run \`./footfall\` in it.
- With Node 20.19 or later: \`npx ${repository}/releases/download/v${version}/footfall-${version}.tgz\`.
- Check what you downloaded: \`sha256sum --check --ignore-missing SHA256SUMS\`.
- Upgrading: [the manual](${repository}/blob/${commit}/${UPGRADING}).

Made from commit ${commit}. \`footfall-${version}.cdx.json\` lists what is inside (CycloneDX), \`provenance.json\` how it was made (SLSA).
`
}
