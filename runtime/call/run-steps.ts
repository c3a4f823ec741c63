/** Runs the steps of a call. */
import { after, type Awaitable, settled } from '../../storage/values/awaitable.ts'
import { asOfNow } from '../../storage/snapshots/snapshots.ts'
import { fail } from '../table/errors.ts'
import type { IdempotencyKey } from './idempotency-keys.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Arrival, Call, CallRequest, Core, EntryRules } from './call.ts'
import { explained } from './suggest.ts'
import { orDeletedMeanwhile } from './lock-subjects.ts'
import { nameOf } from './idempotency.ts'
import { before, beforehand, entrance, type Step, within } from './steps.ts'

/** Runs a call of one operation. @returns the call with its answer; its headers are set even if it throws */
export type Pass = (call: Call) => Awaitable<Call>

/** Selects the steps that this operation needs, once. */
export function passOf(operation: NamedOperation): Pass {
  const needed = (steps: readonly Step[]) => steps.filter(step => step.needed?.(operation) !== false)
  const [first, long, then] = [needed(before), needed(beforehand), needed(within)]
  const isWrite = operation.effect !== 'read'

  const last = (call: Call): Awaitable<void> => (isWrite ? inTransaction(call, then) : through(then, call))
  const work = (call: Call): Awaitable<void> => after(through(long, call), () => (call.replayed ? undefined : last(call)))
  const whole = (call: Call): Awaitable<void> =>
    after(through(first, call), () => {
      call.at = call.core.now()
      return call.key ? alone(call, call.key, work) : work(call)
    })
  return call =>
    settled(
      () => whole(call),
      () => call,
      async thrown => {
        throw await explained(call, thrown)
      },
    )
}

function inTransaction(call: Call, steps: readonly Step[]): Promise<void> {
  const { store } = call.core
  return store
    .transaction(async trx => {
      call.db = trx
      await through(steps, call)
    })
    .catch((thrown: unknown) => orDeletedMeanwhile(call, thrown))
}

/** Runs the steps that an endpoint shares with operations. */
export function enter(arrival: Arrival): Awaitable<Arrival> {
  return after(through(entrance, arrival), () => arrival)
}

/** One after the other, from this one on, until the answer of an earlier request is found. */
function through<C extends Arrival>(steps: readonly Step<C>[], call: C & { readonly replayed?: boolean }, from = 0): Awaitable<void> {
  for (let i = from; i < steps.length && !call.replayed; i++) {
    const running = steps[i]?.run(call)
    if (running) return running.then(() => through(steps, call, i + 1))
  }
}

/**
 * Serialises requests with the same Idempotency-Key in this process, without waiting on the database. Programs are told that
 * the first is under way; who pressed a button twice waits for its answer.
 */
async function alone(call: Call, key: IdempotencyKey, work: (call: Call) => Awaitable<void>): Promise<void> {
  const { inFlight } = call.core
  const claimed = nameOf(key)
  for (let first = inFlight.get(claimed); first; first = inFlight.get(claimed)) {
    if (!call.request.isForm) fail('idempotency_in_progress')
    await first
  }
  let ended = () => {}
  inFlight.set(claimed, new Promise(resolve => (ended = resolve)))
  try {
    await work(call)
  } finally {
    inFlight.delete(claimed)
    ended()
  }
}

export function arrivalOf(core: Core, request: Arrival['request'], entry: EntryRules): Arrival {
  return {
    core,
    request,
    entry,
    at: core.now(),
    db: asOfNow(core.store.read),
    headers: {},
    cookies: [],
    caller: undefined,
    notes: {},
    handed: {},
  }
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
    notes: {},
    handed: {},
    place: { workspaceId: undefined, siteId: null, id: null },
    input: {},
    unknown: [],
    key: undefined,
    db: asOfNow(core.store.read),
    answer: undefined,
    replayed: false,
  }
}
