import type { Cluster } from './cluster.ts'
import type { ClusterSettings } from './connection.ts'

/** Makes a cluster that connects, and loads its client, with the first use. */
export function clusterAt(settings: ClusterSettings): Cluster {
  let opening: Promise<Cluster> | undefined
  const open = (): Promise<Cluster> => (opening ??= import('./open-cluster.ts').then(({ openCluster }) => openCluster(settings)))
  return {
    settings,
    write: async (...given) => (await open()).write(...given),
    rows: async (...given) => (await open()).rows(...given),
    select: async (...given) => (await open()).select(...given),
    read: async (...given) => (await open()).read(...given),
    remove: async (...given) => (await open()).remove(...given),
    left: async (...given) => (await open()).left(...given),
    merge: async (...given) => (await open()).merge(...given),
    ping: async (...given) => (await open()).ping(...given),
    prepare: async () => (await open()).prepare(),
    close: async () => (await opening)?.close(),
  }
}
