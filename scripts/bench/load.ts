/** Generates load against one address for a given time, and measures it. */
import { autocannon } from '../../tools/autocannon.mjs'
import { cpuMs } from './running.ts'

export interface Load {
  /** Successful answers (2xx) a second. */
  readonly rate: number
  /** ms */
  readonly p99: number
  readonly failures: number
  /** µs of CPU of the process that answered, for each answer: hardly changes with what else the machine has to do. */
  readonly cpu: number
}

export function load(
  url: string,
  options: {
    seconds: number
    connections: number
    /** The process that answers. */
    pid?: number | undefined
    overallRate?: number
    headers?: Record<string, string>
    requests?: () => { body: string; headers: Record<string, string> }
  },
): Promise<Load> {
  return new Promise((resolve, reject) => {
    const before = cpuMs(options.pid)
    autocannon(
      {
        url,
        duration: options.seconds,
        connections: options.connections,
        ...(options.overallRate ? { overallRate: options.overallRate } : {}),
        headers: options.headers ?? {},
        ...(options.requests
          ? { requests: [{ method: 'POST' as const, setupRequest: (request: object) => ({ ...request, ...options.requests?.() }) }] }
          : {}),
      },
      (error: Error | null, result) => {
        if (error) return reject(error)
        resolve({
          rate: Math.round(result['2xx'] / result.duration),
          p99: result.latency.p99,
          failures: result.non2xx + result.errors + result.timeouts,
          cpu: (1000 * (cpuMs(options.pid) - before)) / result['2xx'],
        })
      },
    )
  })
}

/** Measures pairs in turn and takes the median of their ratios, as the machine's speed drifts. */
export async function inTurn(
  times: number,
  ours: () => Promise<Load>,
  theirs: () => Promise<Load>,
): Promise<{ ours: Load[]; theirs: Load[]; ratio: number; cpuRatio: number }> {
  const measured = { ours: [] as Load[], theirs: [] as Load[] }
  for (let i = 0; i < times; i++) {
    measured.theirs.push(await theirs())
    measured.ours.push(await ours())
  }
  const ratio = (of: (ours: Load, theirs: Load) => number) =>
    median(measured.ours.flatMap((each, i) => (measured.theirs[i] ? [of(each, measured.theirs[i])] : [])))
  return { ...measured, ratio: ratio((a, b) => a.rate / b.rate), cpuRatio: ratio((a, b) => b.cpu / a.cpu) }
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** @param share from 0 up to, not including, 1: 0.99 for the p99 */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
