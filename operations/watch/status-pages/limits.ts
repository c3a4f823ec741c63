/** Maximum numbers, far above the amounts that a page can show well. */
export const limits = { pages: 50, groups: 30, checks: 100, incidents: 2_000, updates: 200, subscribers: 50_000, body: 5_000 } as const
