/**
 * Work that may be done at once. A promise is made only where something has to be waited for: a read that is answered from
 * memory takes a dozen steps, and to await each takes longer than the steps.
 */

/** For parameters and results that may be `await`ed, or passed to `after`. */
export type Awaitable<T> = T | Promise<T>

/** What comes next: now, or once the value is there. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Like `after`, with what to do about anything that the work throws, now or later. */
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
