/** Ranges of availability and response times, with the keys of their labels. */
export const ranges = [
  { range: '24h', label: 'range_24h' },
  { range: '7d', label: 'period_7d' },
  { range: '30d', label: 'period_30d' },
] as const
