/** Calls the operation's `run` with the services it declared, and keeps its answer. */
import { makeId } from '../values/ids.ts'
import type { Bytes } from '../table/answer-kinds.ts'
import type { Services } from '../table/call-services.ts'
import type { Call } from './call.ts'
import { missingPermission } from './find-subjects.ts'

export async function run(call: Call): Promise<void> {
  call.answer = await call.operation.run(servicesOf(call) as never) // the declaration's own types ensure that this fits
}

/** Runs slow work before the transaction. */
export async function prepare(call: Call): Promise<void> {
  Object.assign(call.handed, await call.operation.prepare?.(servicesOf(call) as never)) // as above
}

export function servicesOf(call: Call): Services & Record<string, unknown> {
  const { core, request, db, at, input, caller, handed, cookies } = call
  return Object.assign(
    {
      db,
      store: core.store,
      now: at,
      config: core.config,
      log: core.log,
      input,
      caller,
      request: { id: request.id, ip: request.ip, surface: request.surface, header: request.header },
      body: request.body ?? nothing,
      emit: core.emitIn(db, at),
      newId: kind => makeId(kind, at, core.random(14)),
      random: core.random,
      use: core.use,
      operations: () => [...core.table.operations.values()].filter(each => !caller || missingPermission(each, caller) === undefined),
      listed: listing => core.listed(call, listing),
      listedKinds: () => core.listedKinds,
      read: reading => core.read(call, reading),
      declarationOf: id => core.table.operations.get(id),
      setCookie: line => void cookies.push(line),
      note: fields => void Object.assign(call.notes, fields),
    } satisfies Services & Record<string, unknown>,
    handed,
  )
}

const nothing: Bytes = (async function* () {})()
