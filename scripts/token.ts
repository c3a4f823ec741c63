/** `npm run -s token -- --workspace ws_… --permissions analytics.read,content.write --json`: creates a token. */
import { addToken } from '../operations/service/setup/set-up.ts'
import { isPermission, type Permission, permissionNames } from '../runtime/table/permissions.ts'
import { commandLine } from './command-line.ts'
import { command, creationServices, withDatabase } from './machine.ts'
import { workspaceAsked } from './workspaces.ts'

const listed = (text: string) =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)

const program = commandLine('token')
  .option('--workspace <id>', 'workspace the token is for; default: the only one')
  .option('--permissions <list>', 'comma list of permissions; default: all', listed, [...permissionNames])
  .option('--sites <list>', 'comma list of site ids it is restricted to', listed, [])
  .option('--name <name>', 'name of the token', 'From the command line')
  .option('--expires <date>', 'when it expires, ISO 8601')
  .option('--json', 'print one JSON object')

interface Options {
  readonly workspace?: string
  readonly permissions: string[]
  readonly sites: string[]
  readonly name: string
  readonly expires?: string
  readonly json?: true
}

export const run = (): Promise<void> => {
  const options = program.parse().opts<Options>()
  return command(async config => {
    const unknown = options.permissions.filter(name => !isPermission(name))
    if (unknown.length > 0 || options.permissions.length === 0)
      throw new Error(`--permissions must be a comma list of ${permissionNames.join(', ')}`)
    const expiresAt = options.expires === undefined ? null : Date.parse(options.expires)
    if (Number.isNaN(expiresAt)) throw new Error('--expires must be a date and time like 2027-01-31T12:00:00Z')
    const permissions = options.permissions.filter((name): name is Permission => isPermission(name))
    await withDatabase(config, async (store, now) => {
      const workspace = await workspaceAsked(store.read, options.workspace)
      const made = await addToken(
        store,
        { workspace, name: options.name, permissions, siteIds: options.sites, expiresAt },
        await creationServices(config, now()),
      )
      process.stdout.write(
        options.json ? `${JSON.stringify({ id: made.id, token: made.token, permissions, site_ids: options.sites })}\n` : `${made.token}\n`,
      )
    })
  })
}
