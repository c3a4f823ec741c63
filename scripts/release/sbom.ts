/**
 * The parts list of a release (SBOM), as CycloneDX 1.5 (cyclonedx.org/docs/1.5/json): npm makes it of the lock file. Parts that are
 * neither installed with the package nor bundled into `dist/` are removed.
 */
import path from 'node:path'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { npm } from './shell.ts'
import type { Source } from './source.ts'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  scope?: string
  properties?: { name: string; value: string }[]
}
interface Bom {
  serialNumber: string
  metadata: { timestamp: string; component: Component & Record<string, unknown> }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** Name and version, as licences of the build have them: `kysely 0.28.18`. */
const idOf = ({ name, version }: { name: string; version: string }) => `${name} ${version}`

/** Packages that are bundled into files of `dist/`: the build lists them with their licences. */
export function bundledIn(folder: string): Set<string> {
  const files = ['dist/licences.txt', 'dist/scalar/licences.txt'].map(file => fs.readFileSync(path.join(folder, file), 'utf8'))
  return new Set(files.flatMap(text => [...text.matchAll(/^(\S+ \d+\.\d+\.\S+) \(/gm)].map(([, id = '']) => id)))
}

/** @returns the file as JSON. The same commit has the same bytes. */
export function partsList({ folder, commit, seconds, repository, version }: Source): string {
  const bom = JSON.parse(npm(folder, ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'])) as Bom // as CycloneDX defines it
  const bundled = bundledIn(folder)
  const isInstalled = ({ properties = [] }: Component) => !properties.some(({ name }) => name === 'cdx:npm:package:development')
  const components: Component[] = []
  for (const component of bom.components) {
    const isBundled = bundled.delete(idOf(component))
    if (!isBundled && !isInstalled(component)) continue
    const { properties = [], ...rest } = component
    const own = properties.filter(({ name }) => name !== 'cdx:npm:package:development')
    const scope = component.scope === 'optional' && isInstalled(component) ? 'optional' : 'required'
    components.push({ ...rest, scope, properties: [...own, { name: 'footfall:bundled', value: String(isBundled) }] })
  }
  // Packages inside a bundle that another project made: our lock file does not have them.
  for (const id of bundled) {
    const [name = '', release = ''] = id.split(' ')
    const purl = `pkg:npm/${name.replace('@', '%40')}@${release}`
    const properties = [{ name: 'footfall:bundled', value: 'true' }]
    components.push({
      'bom-ref': `${name}@${release}`,
      type: 'library',
      name,
      version: release,
      scope: 'required',
      purl,
      properties,
    } as Component)
  }
  const refs = new Set([`footfall@${version}`, ...components.map(component => component['bom-ref'])])
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(each => refs.has(each)) }))
  const serial = createHash('sha256').update(commit).digest('hex')
  const component = {
    ...bom.metadata.component,
    name: 'footfall',
    type: 'application',
    properties: [{ name: 'footfall:commit', value: commit }],
    externalReferences: [{ type: 'vcs', url: repository }],
  }
  return JSON.stringify(
    {
      ...bom,
      // A UUID of version 8 (RFC 9562), made of the commit.
      serialNumber: `urn:uuid:${serial.slice(0, 8)}-${serial.slice(8, 12)}-8${serial.slice(13, 16)}-8${serial.slice(17, 20)}-${serial.slice(20, 32)}`,
      metadata: { ...bom.metadata, timestamp: new Date(seconds * 1_000).toISOString(), component },
      components: components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
      dependencies,
    },
    null,
    1,
  )
}
