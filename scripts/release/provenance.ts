/**
 * How the files of a release were made: an in-toto statement with SLSA's provenance (slsa.dev/spec/v1.0/provenance). It is not
 * signed: `.github/workflows/release.yml` has it attested by the code host.
 */
import path from 'node:path'
import { digest } from './shell.ts'
import type { Source } from './source.ts'
import { targets } from './targets.ts'

export function provenance({ folder, commit, seconds, repository, version }: Source, files: readonly string[]): string {
  const hex = (file: string) => digest(file).toString('hex')
  return JSON.stringify(
    {
      _type: 'https://in-toto.io/Statement/v1',
      subject: files.map(file => ({ name: path.basename(file), digest: { sha256: hex(file) } })),
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          buildType: `${repository}/blob/${commit}/scripts/release.ts`,
          externalParameters: { repository, commit, version, command: 'npm run release' },
          internalParameters: { node: process.version },
          resolvedDependencies: [
            { uri: `git+${repository}`, digest: { gitCommit: commit } },
            { uri: 'package-lock.json', digest: { sha256: hex(path.join(folder, 'package-lock.json')) } },
            ...targets.map(({ node, integrity }) => ({
              uri: `pkg:npm/${node}`,
              digest: { sha512: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
            })),
          ],
        },
        runDetails: {
          builder: { id: process.env.GITHUB_SERVER_URL ? `${process.env.GITHUB_SERVER_URL}/actions/runner` : 'local' },
          metadata: { invocationId: process.env.GITHUB_RUN_ID ?? commit, startedOn: new Date(seconds * 1_000).toISOString() },
        },
      },
    },
    null,
    1,
  )
}
