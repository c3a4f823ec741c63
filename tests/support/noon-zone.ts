/**
 * The time zone in which it is about noon: for tests of a service with the clock of the machine, whose hits and reports are then of one
 * day whenever they run.
 */
export function noonZone(): string {
  const hours = 12 - new Date().getUTCHours()
  return `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}` // its signs are the other way round
}
