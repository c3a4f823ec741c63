/** Views made for a purpose, by the record that they show. What has none is shown by its schema. */
import { overview } from './overview.tsx'
import type { View } from './view.ts'

export const views: Readonly<Record<string, View>> = { Overview: overview }
