/**
 * For `node --import`: the test runner without its async hooks. It follows every promise with them, to say which test an
 * error belongs to that no test waits for; that is a quarter of the time of a test process. Without them such an error
 * fails its file instead. For a test to know its suite it is enough that the runner's own resources are told, as here.
 */
import hooks from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'
import './source-positions.mjs'

const { AsyncResource, createHook, executionAsyncId } = hooks

/** @type {hooks.HookCallbacks} */
let runner = {}

/** Reads the trace as it is: `source-positions.mjs` would read the map of all tests. */
function isOfRunner() {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, sites) => sites.map(String).join()
  try {
    return new Error().stack?.includes('node:internal/test_runner')
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
}

Object.assign(hooks, {
  /** @param {hooks.HookCallbacks} callbacks */
  createHook(callbacks) {
    if (!isOfRunner()) return createHook(callbacks)
    runner = callbacks
    return createHook({})
  },
  AsyncResource: class extends AsyncResource {
    /** @param {ConstructorParameters<typeof AsyncResource>} resource */
    constructor(...resource) {
      super(...resource)
      runner.init?.(this.asyncId(), resource[0], executionAsyncId(), this)
    }
  },
})

// Imports the runner, so it comes after the changes above.
if (isMainThread && process.env.NODE_TEST_CONTEXT) await import('./watchdog.mjs')
