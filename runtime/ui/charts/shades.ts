/** Shades of a heat map: parts of a drawing have the class `heat`, and one of these as `fill-opacity`. */
import { scaleQuantize } from 'd3-scale'

export const shades = (max: number) => scaleQuantize<number>([0, max], [0.25, 0.42, 0.6, 0.8, 1])
