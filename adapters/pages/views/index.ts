/** Views made for a purpose, by the record that they show (`[Site]`: a list of it). What has none is shown by its schema. */
import type { View } from './view.ts'

export const views: Readonly<Record<string, View>> = {}
