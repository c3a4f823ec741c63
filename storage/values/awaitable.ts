/**
 * Work that may finish at once. It returns a promise only if it has to wait: a read that is answered from memory takes a
 * dozen steps, and awaiting each of them takes longer than the steps.
 */

/** For parameters and results that may be `await`ed, or passed to `after`. */
export type Awaitable<T> = T | Promise<T>

/** Runs the next step: at once, or after the value has resolved. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs the next step like `after`, or `failed` if the work throws or rejects. */
export function settled<T, R>(
  work: () => Awaitable<T>,
  next: (value: T) => Awaitable<R>,
  failed: (thrown: unknown) => Awaitable<R>,
): Awaitable<R> {
  let value: Awaitable<T>
  try {
    value = work()
  } catch (thrown) {
    return failed(thrown)
  }
  return value instanceof Promise ? value.then(next, failed) : next(value)
}
