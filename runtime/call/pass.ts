/** Runs the steps of a call. */
import { fail } from '../errors.ts'
import type { NamedOperation } from '../table.ts'
import type { Arrival, Call, CallRequest, Core, EntryRules } from './call.ts'
import { explained } from './explain.ts'
import { orDeletedMeanwhile } from './lock-subjects.ts'
import { nameOf } from './idempotency.ts'
import { before, beforehand, entrance, type Step, within } from './steps.ts'

/** Runs a call of one operation. @returns the call with its answer; its headers are set even if it throws */
export type Pass = (call: Call) => Promise<Call>

/** Selects the steps that this operation needs, once. */
export function passOf(operation: NamedOperation): Pass {
  const needed = (steps: readonly Step[]) => steps.filter(step => step.needed?.(operation) !== false)
  const [first, long, then] = [needed(before), needed(beforehand), needed(within)]
  const isWrite = operation.effect !== 'read'

  const pass: Pass = async call => {
    await through(first, call)
    call.at = call.core.now()
    await alone(call, async () => {
      await through(long, call)
      if (!call.replayed) await (isWrite ? inTransaction(call, then) : through(then, call))
    })
    return call
  }
  return async call => {
    try {
      return await pass(call)
    } catch (thrown) {
      throw await explained(call, thrown)
    }
  }
}

function inTransaction(call: Call, steps: readonly Step[]): Promise<void> {
  const { store } = call.core
  return store
    .transaction(trx => {
      call.db = trx
      return through(steps, call)
    })
    .catch((thrown: unknown) => orDeletedMeanwhile(call, thrown))
}

/** Runs the steps that an endpoint shares with operations. */
export async function enter(arrival: Arrival): Promise<Arrival> {
  await through(entrance, arrival)
  return arrival
}

/** Awaits only steps that return a promise: an await for each would cost more than the steps. */
async function through<C extends Arrival>(steps: readonly Step<C>[], call: C & { readonly replayed?: boolean }): Promise<void> {
  for (const step of steps) {
    const running = step.run(call)
    if (running) await running
    if (call.replayed) return
  }
}

/** Serialises requests with the same Idempotency-Key in this process, without waiting on the database. */
async function alone(call: Call, work: () => Promise<void>): Promise<void> {
  const {
    key,
    core: { inFlight },
  } = call
  if (!key) return work()
  const claimed = nameOf(key)
  if (inFlight.has(claimed)) fail('idempotency_in_progress')
  inFlight.add(claimed)
  try {
    await work()
  } finally {
    inFlight.delete(claimed)
  }
}

export function arrivalOf(core: Core, request: Arrival['request'], entry: EntryRules): Arrival {
  return { core, request, entry, at: core.now(), headers: {}, cookies: [], caller: undefined, handed: {} }
}

export function callOf(core: Core, request: CallRequest): Call {
  const { operation } = request
  return {
    core,
    request,
    operation,
    entry: operation,
    path: request.path,
    sought: undefined,
    at: core.now(),
    headers: {},
    cookies: [],
    caller: undefined,
    handed: {},
    place: { workspaceId: undefined, siteId: null, id: null },
    input: {},
    unknown: [],
    key: undefined,
    db: core.store.read,
    answer: undefined,
    replayed: false,
  }
}
