/** Runs the steps of a call. */
import { asOfNow } from '../../storage/snapshots/snapshots.ts'
import { tracer } from '../observability/tracing.ts'
import { fail } from '../table/errors.ts'
import type { IdempotencyKey } from './idempotency-keys.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Arrival, Call, CallRequest, Core, EntryRules } from './call.ts'
import { explained } from './suggest.ts'
import { orDeletedMeanwhile } from './lock-subjects.ts'
import { nameOf } from './idempotency.ts'
import { entrySteps, prepareSteps, readSteps, type Step, transactionSteps } from './steps.ts'

/** Runs one call of an operation: afterwards the call has its answer. Its headers are set even if it throws. */
export type CallRunner = (call: Call) => Promise<void>

/** Selects the steps that an operation needs, once. */
export function callRunner(operation: NamedOperation): CallRunner {
  const needed = (steps: readonly Step[]) => steps.filter(step => step.needed?.(operation) !== false)
  const [read, prepare, transaction] = [needed(readSteps), needed(prepareSteps), needed(transactionSteps)]
  const readAll = [...read, ...prepare, ...transaction]

  async function change(call: Call): Promise<void> {
    await runSteps(prepare, call)
    if (!call.replayed) await inTransaction(call, transaction)
  }
  async function write(call: Call): Promise<void> {
    await runSteps(read, call)
    await (call.key ? oneAtATime(call, call.key, change) : change(call))
  }
  return async call => {
    try {
      await (operation.effect === 'read' ? runSteps(readAll, call) : write(call))
    } catch (thrown) {
      throw await explained(call, thrown)
    }
  }
}

/**
 * Runs the steps in order, until one finds the answer of an earlier request. It awaits only promises: most steps of a read
 * from memory return none.
 */
function runSteps<C extends Arrival>(
  steps: readonly Step<C>[],
  call: C & { readonly replayed?: boolean },
  from = 0,
): Promise<void> | undefined {
  const traced = tracer()
  for (let i = from; i < steps.length; i++) {
    const step = steps[i]
    if (!step || call.replayed) return undefined
    const running = traced ? traced.part(step.name, () => step.run(call)) : step.run(call)
    if (running instanceof Promise) return running.then(() => runSteps(steps, call, i + 1))
  }
  return undefined
}

function inTransaction(call: Call, steps: readonly Step[]): Promise<void> {
  const { store } = call.core
  return store
    .transaction(async trx => {
      call.db = trx
      await runSteps(steps, call)
    })
    .catch((thrown: unknown) => orDeletedMeanwhile(call, thrown))
}

/** Runs the steps that endpoints share with operations. */
export const runEntrySteps = (arrival: Arrival): Promise<void> | undefined => runSteps(entrySteps, arrival)

/**
 * Serialises requests with the same Idempotency-Key in this process, without waiting in the database. A program is refused
 * while the first request runs; the form of a page waits for its answer.
 */
async function oneAtATime(call: Call, key: IdempotencyKey, work: (call: Call) => Promise<void>): Promise<void> {
  const { inFlight } = call.core
  const name = nameOf(key)
  for (let first = inFlight.get(name); first; first = inFlight.get(name)) {
    if (!call.request.isForm) fail('idempotency_in_progress')
    await first
  }
  let ended = () => {}
  inFlight.set(name, new Promise(resolve => (ended = resolve)))
  try {
    await work(call)
  } finally {
    inFlight.delete(name)
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
