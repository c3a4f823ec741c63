/**
 * Memory that is written over from day to day. Lists that are made anew for each day of a year are 100 MB a second for
 * the collector of garbage, whose threads hits wait for.
 */

/** A list of so many numbers, whatever stands in them. It is good until the next call. */
export type Room<List> = (length: number) => List
type List = Uint8Array | Uint32Array

export function roomOf(kind: Uint8ArrayConstructor): Room<Uint8Array>
export function roomOf(kind: Uint32ArrayConstructor): Room<Uint32Array>
export function roomOf(kind: new (length: number) => List): Room<List> {
  let room = new kind(0)
  return length => {
    if (room.length < length) room = new kind(Math.ceil(length * 1.5))
    return room.subarray(0, length)
  }
}
