/** Takes a call through its steps. */
import { fail } from '../errors.ts'
import type { NamedOperation } from '../table.ts'
import type { Arrival, Call, CallRequest, Core, Door } from './call.ts'
import { explained } from './complete-path.ts'
import { orDeletedMeanwhile } from './lock-subjects.ts'
import { before, entrance, type Step, within } from './steps.ts'

/** Takes a call of one operation through. @returns the call with its answer; its headers are there even where it throws */
export type Pass = (call: Call) => Promise<Call>

/** The steps that this operation needs, found once. */
export function passOf(operation: NamedOperation): Pass {
  const isNeeded = ({ needed }: Step) => needed?.(operation) !== false
  const [first, then] = [before.filter(isNeeded), within.filter(isNeeded)]
  const isWrite = operation.effect !== 'read'

  const pass: Pass = async call => {
    await through(first, call)
    call.at = call.core.now()
    if (!isWrite) await through(then, call)
    else {
      await alone(call, () =>
        call.core.store.transaction(trx => {
          call.db = trx
          return through(then, call)
        }),
      ).catch((thrown: unknown) => orDeletedMeanwhile(call, thrown))
    }
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

/** Takes a request to its endpoint's door. */
export async function enter(arrival: Arrival): Promise<Arrival> {
  await through(entrance, arrival)
  return arrival
}

/** A step that does not wait is not waited for: a turn of the event loop for each would cost more than they do. */
async function through<C extends Arrival>(steps: readonly Step<C>[], call: C & { readonly replayed?: boolean }): Promise<void> {
  for (const step of steps) {
    const running = step.run(call)
    if (running) await running
    if (call.replayed) return
  }
}

/** One request at a time for each Idempotency-Key: in this process, without waiting for the database to say so. */
async function alone(call: Call, work: () => Promise<void>): Promise<void> {
  const {
    key,
    core: { inFlight },
  } = call
  if (!key) return work()
  const claimed = `${key.token_id} ${key.operation} ${key.key}`
  if (inFlight.has(claimed)) fail('idempotency_in_progress')
  inFlight.add(claimed)
  try {
    await work()
  } finally {
    inFlight.delete(claimed)
  }
}

export function arrivalOf(core: Core, request: Arrival['request'], door: Door): Arrival {
  return { core, request, door, at: core.now(), headers: {}, caller: undefined, handed: {} }
}

export function callOf(core: Core, request: CallRequest): Call {
  const { operation } = request
  return {
    core,
    request,
    operation,
    door: operation,
    path: request.path,
    sought: undefined,
    at: core.now(),
    headers: {},
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
