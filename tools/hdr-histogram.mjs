export { build as histogram } from 'hdr-histogram-js'
