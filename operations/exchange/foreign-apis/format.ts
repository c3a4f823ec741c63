/** An API of another product: how a request is answered of our operations, and the form of its refusals. */
import type { Db } from '../../../storage/store.ts'
import type { Answers, Found } from './answers.ts'

/** A request, and the operations that its credential may call. */
export interface Asked {
  readonly method: string
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The fields of the body; none without a body. */
  readonly body: Readonly<Record<string, unknown>>
  readonly db: Db
  readonly now: number
  /** Own address of the service, without a slash at the end. */
  readonly baseUrl: string
  /** The token that the request has. */
  readonly token: string
  /** The user name of its basic authentication; empty without one. */
  readonly userName: string
  /** @throws Refused as the operation refuses */
  call<O extends keyof Answers>(
    operation: O,
    path?: Readonly<Record<string, string>>,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<Found<O>>
  /** The request with another token. */
  with(token: string): Asked
  /** Id of the workspace of the token. @throws Refused */
  workspace(): Promise<string>
}

/** A request that is refused; the format says it in its form. */
export class Refused extends Error {
  /** @param status of HTTP */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

export function refuse(status: number, message: string): never {
  throw new Refused(status, message)
}

/** A fault of an input of one of our operations, which the request has under another name. */
export interface FaultOfOurs {
  /** Path of the input: `['filters', '0', '2']`. */
  readonly path: readonly string[]
  /** The input of the call. */
  readonly input: Readonly<Record<string, unknown>>
  readonly query: URLSearchParams
}

export interface ForeignApi {
  /** The input as the request names it; undefined if it has the name of ours. A name with a colon at its end precedes a value. */
  named?(fault: FaultOfOurs): string | undefined
  /** The whole sentence about a fault, where ours speaks of something that the other product lacks. */
  says?(fault: FaultOfOurs): string | undefined
  /** Answers a request. @returns what is sent as JSON @throws Refused */
  answer(asked: Asked): Promise<unknown>
  /** The body of a refusal. */
  refusal(refused: Refused): unknown
  /** The status of an answer; 200 if there is none. */
  readonly success?: number
  /** The status of a refusal, if the other product has another one. */
  status?(refused: Refused): number
}
