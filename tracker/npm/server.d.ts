/** `footfall/server`: hits of servers, for Node, Bun, Deno and edge runtimes. It uses only `fetch` and other Web APIs. */

export type Props = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Options {
  /** Address of Footfall: `https://footfall.example.com` */
  readonly url: string
  /** Id of the site: `pa_…` */
  readonly site: string
  /** A token with `sites.manage`. Keep it out of pages. */
  readonly token: string
  /**
   * Header in which your proxy or platform names the visitor's address, for example `cf-connecting-ip`, `x-real-ip` or
   * `x-forwarded-for`, of which the last one counts. Without it, the address of the connection counts.
   */
  readonly addressHeader?: string
  /** Returns whether the middleware counts a path. Default: every path that answers HTML. */
  readonly include?: (path: string) => boolean
  /** Receives an error for hits that were given up. Default: a line in the console, each text once. */
  readonly onError?: (error: Error) => void
  /** False: nothing is sent by itself when the process ends; call `close()`. */
  readonly exit?: boolean
  readonly fetch?: typeof globalThis.fetch
}

/** The sender of a request, and its page. */
export interface Visitor {
  readonly url?: string | undefined
  readonly referrer?: string | undefined
  readonly ip?: string | undefined
  readonly userAgent?: string | undefined
  readonly language?: string | undefined
}

export interface Hit extends Visitor {
  readonly title?: string
  readonly props?: Props
  readonly revenue?: { readonly amount: number | string; readonly currency: string }
  /** False: the event does not end a bounce. */
  readonly interactive?: boolean
  /** Id of the person, if the site identifies people. */
  readonly user?: string | number
  readonly traits?: Props
  readonly consent?: boolean
  /** Default: now. */
  readonly timestamp?: Date | string | number
}

/** Calls return at once and never throw. */
export interface Calls {
  track(name: string, hit?: Hit): void
  pageview(hit?: Hit): void
}

export interface Footfall extends Calls {
  /** Returns calls for the visitor of a request, for example `footfall.of(request).track('Signup')`. */
  of(request: Request, visitor?: Visitor): Calls
  /** Resolves once what waits has arrived or was given up. */
  flush(): Promise<void>
  /** Sends what waits, for at most 5 seconds. Later hits are dropped. */
  close(): Promise<void>
}

export declare const createFootfall: (options: Options) => Footfall

/** `app.use(forExpress(footfall))`; also for Connect and `node:http`. `request.footfall` has the calls of its visitor. */
export declare const forExpress: (footfall: Footfall) => (request: object, response: object, next?: () => void) => void
/** `app.register(forFastify(footfall))`. `request.footfall` has the calls of its visitor. */
export declare const forFastify: (footfall: Footfall) => (instance: object, options: unknown, done: () => void) => void
/** `app.use(forHono(footfall))`. `context.get('footfall')` has the calls of the visitor. */
export declare const forHono: (footfall: Footfall) => (context: object, next: () => Promise<void>) => Promise<void>
/** `export const proxy = forNext(footfall)` in `proxy.ts`, or `middleware` in `middleware.ts`. */
export declare const forNext: (footfall: Footfall) => (request: Request, event: { waitUntil(promise: Promise<unknown>): void }) => undefined
/** `Deno.serve(forFetch(footfall, handler))`, also for `Bun.serve({ fetch })` and Workers. */
export declare const forFetch: <Rest extends unknown[]>(
  footfall: Footfall,
  handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
) => (request: Request, ...rest: Rest) => Promise<Response>
