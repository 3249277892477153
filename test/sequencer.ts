import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from './data/durations.json' with { type: 'json' }

const seconds: Readonly<Record<string, number>> = durations
const secondsOfOthers = 1

/** Shuffles files by the seed, and deals them out to shards so that all shards end at about the same time. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    const rank = (file: TestSpecification) =>
      createHash('sha1')
        .update(`${seed} ${pathOf(file)}`)
        .digest('hex')
    return sortedBy(files, rank)
  }

  /** The slowest first, each to the shard with the least to do. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {}
    const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] as TestSpecification[] }))
    const byPath = sortedBy(files, pathOf)
    for (const file of byPath.sort(longestFirst)) {
      const [least] = shards.toSorted((a, b) => a.seconds - b.seconds)
      least?.files.push(file)
      if (least !== undefined) least.seconds += secondsOf(file)
    }
    return shards[index - 1]?.files ?? []
  }
}

/** Begins with the slowest files: one that began last would go on alone, on one core. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return sortedBy(files, pathOf).sort(longestFirst)
  }
}

function pathOf({ moduleId, project }: TestSpecification): string {
  return relative(project.config.root, moduleId)
}

function secondsOf(file: TestSpecification): number {
  return seconds[pathOf(file)] ?? secondsOfOthers
}

function longestFirst(a: TestSpecification, b: TestSpecification): number {
  return secondsOf(b) - secondsOf(a)
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: key(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item)
}
