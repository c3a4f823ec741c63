/** Divides the credit for a completed goal among the visits of a path. (Every `!` is inside bounds.) */
import { HALF_LIFE_DAYS, type Model, OF_ENDS } from '../vocabulary/attribution.ts'
import type { Path } from './touches.ts'

const HALF_LIFE_MS = HALF_LIFE_DAYS * 86_400_000

/** Sets the share of each visit of a path, the latest first; shares add up to 1. @param into at least as long as the path */
type Divide = (path: Path, into: Float64Array) => void

const only = (place: number, { count }: Path, into: Float64Array): void => {
  into.fill(0, 0, count)
  into[place] = 1
}

export const divideBy: Readonly<Record<Model, Divide>> = Object.freeze({
  first: (path, into) => only(path.count - 1, path, into),
  last: (path, into) => only(0, path, into),
  last_non_direct(path, into) {
    let place = 0
    while (place < path.count && path.isDirect[place] === 1) place++
    only(place === path.count ? 0 : place, path, into)
  },
  linear({ count }, into) {
    into.fill(1 / count, 0, count)
  },
  position({ count }, into) {
    if (count < 3) into.fill(1 / count, 0, count)
    else {
      into.fill((1 - 2 * OF_ENDS) / (count - 2), 0, count)
      into[0] = into[count - 1] = OF_ENDS
    }
  },
  time_decay({ count, at }, into) {
    let sum = 0
    for (let i = 0; i < count; i++) sum += into[i] = 2 ** ((at[i]! - at[0]!) / HALF_LIFE_MS)
    for (let i = 0; i < count; i++) into[i]! /= sum
  },
})
