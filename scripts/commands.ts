/** `dist/commands.cjs`: the service and all other commands, built as one file with a code cache. A command loads only what it needs. */
import type { CommandName } from './command-names.ts'

const files: Readonly<Record<CommandName, () => Promise<{ run(): Promise<unknown> }>>> = {
  serve: () => import('./serve.ts'),
  setup: () => import('./setup.ts'),
  token: () => import('./token.ts'),
  'sign-in-link': () => import('./sign-in-link.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  keys: () => import('./keys.ts'),
  migrate: () => import('./migrate.ts'),
  move: () => import('./move.ts'),
  vacuum: () => import('./vacuum.ts'),
  packed: () => import('./packed.ts'),
  import: () => import('./import.ts'),
  clickhouse: () => import('./clickhouse.ts'),
  probe: () => import('./probe.ts'),
  crawlers: () => import('./crawlers.ts'),
  tail: () => import('./tail.ts'),
  plans: () => import('./plans.ts'),
  affiliates: () => import('./affiliates.ts'),
  demo: () => import('./demo.ts'),
}

/** Reads `process.argv`: the command's own arguments begin at the third. */
export async function runCommand(name: CommandName): Promise<void> {
  const { run } = await files[name]()
  await run()
}

/** Checks the declarations of operations during the build, so that a start need not check them again. @throws TableError */
export async function checkDeclarations(): Promise<void> {
  const [{ table }, { TableError }, { faultsInOperations }] = await Promise.all([
    import('../operations/index.ts'),
    import('../runtime/table/table.ts'),
    import('../runtime/table/table-faults.ts'),
  ])
  const faults = faultsInOperations(table.operations)
  if (faults.length > 0) throw new TableError(faults)
}
