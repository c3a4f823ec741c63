/** Icons of kinds of results: outlines on a grid of 16. A kind without one has a square. */
const outlines: Readonly<Record<string, string>> = {
  site: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M1.5 8h13M8 1.5c4 4 4 9 0 13M8 1.5c-4 4-4 9 0 13',
  goal: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6',
  alert: 'M3 12h10l-1.5-2V7a3.5 3.5 0 0 0-7 0v3zM6.5 14h3',
  page: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  documentation: 'M2 3c3-1 5 0 6 1c1-1 3-2 6-1v10c-3-1-5 0-6 1c-1-1-3-2-6-1zM8 4v10',
  event: 'M9 1.5L3 9h4l-1 5.5L13 7H8.5z',
  source: 'M6.5 9.5l4-4M7 4l1.5-1.5a3.5 3.5 0 0 1 5 5L12 9M9 12l-1.5 1.5a3.5 3.5 0 0 1-5-5L4 7',
  funnel: 'M2 3h12l-4.5 5.5v4l-3 1.5V8.5z',
  segment: 'M8 1.5v6.5h6.5a6.5 6.5 0 1 1-6.5-6.5',
  note: 'M3 2.5h10v8l-3 3H3zM13 10.5h-3v3',
  dashboard: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z',
  member: 'M8 2a3 3 0 1 0 0 6a3 3 0 1 0 0-6M2.5 14c0-6 11-6 11 0',
  operation: 'M5 4L1.5 8L5 12M11 4l3.5 4L11 12M9 3L7 13',
}

export const KindIcon = ({ kind }: { kind: string }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={outlines[kind] ?? 'M3 3h10v10H3z'} />
  </svg>
)
