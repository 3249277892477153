import type { ScaleFigures } from '../../support/scale/figures.ts'
import type { CaseReport, FigureName } from './figures.ts'

/** Reports of one instance, by the name of the case. */
export interface Run {
  readonly scale: ScaleFigures
  readonly cases: Readonly<Record<string, CaseReport>>
}

/** Reason why a case may cost more on a larger instance, in one of two forms. */
export interface CostException {
  readonly case: string
  readonly reason: string
  /** Bounded, at another place than the smallest instance shows. */
  readonly atMost?: Partial<Readonly<Record<FigureName, number>>>
  /** Linear: so much more for each more of something that the instances differ in. */
  readonly per?: keyof ScaleFigures
  readonly factors?: Partial<Readonly<Record<FigureName, number>>>
  /** Needed on the instance of a million statuses alone, which CI does not measure. */
  readonly atMillion?: true
}

/** A figure that is larger on the larger instance. */
export interface Growth {
  readonly case: string
  readonly figure: FigureName
  readonly before: number
  readonly after: number
}

export interface Verdict {
  readonly growths: readonly Growth[]
  /** Growths without an exception, or beyond it. */
  readonly broken: readonly string[]
  /** Exceptions that nothing needs. */
  readonly unused: readonly CostException[]
}

const ratio = 1.2

/** Additions allowed whatever a case costs: pages of a small instance are not always full. */
const slack: Partial<Readonly<Record<FigureName, number>>> = {
  trips: 1,
  statements: 2,
  rowsRead: 60,
  rowsWritten: 5,
  objectCalls: 1,
  queued: 1,
  bytes: 4_096,
}

/** Beyond these nothing may go, whatever its size. */
const ceilings: Partial<Readonly<Record<FigureName, number>>> = {
  largestBatch: 50_000,
  largestMessage: 65_536,
}

/** Milliseconds of one statement or batch; D1 ends one after thirty seconds. */
const slowestTrip = 5_000

/** The case with the slowest statement or batch of a run, and cases with one that is too slow on any machine. Pure. */
export function checkTimes({ cases }: Pick<Run, 'cases'>): {
  readonly slowest: string
  readonly broken: readonly string[]
} {
  const lines = Object.entries(cases)
    .toSorted(([, a], [, b]) => b.slowest.milliseconds - a.slowest.milliseconds)
    .map(
      ([
        name,
        {
          slowest: { milliseconds, text },
        },
      ]) => ({
        milliseconds,
        line: `${name}: ${Math.round(milliseconds)} ms, ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
      }),
    )
  return {
    slowest: lines[0]?.line ?? '',
    broken: lines.filter(({ milliseconds }) => milliseconds > slowestTrip).map(({ line }) => line),
  }
}

/** Compares the runs of two instances, the smaller one first. Pure. */
export function judge(small: Run, large: Run, exceptions: readonly CostException[]): Verdict {
  const growths = Object.entries(large.cases).flatMap(([name, report]) => growthOf(name, small, report))
  const used = new Set<CostException>()
  const broken = growths.flatMap((growth) => {
    const excepted = exceptions.filter((one) => one.case === growth.case)
    const excuse = excepted.find((one) => excuses(one, growth, small.scale, large.scale))
    for (const one of excuse === undefined ? excepted : [excuse]) used.add(one)
    return excuse === undefined ? [textOf(growth)] : []
  })
  return { growths, broken, unused: exceptions.filter((one) => !used.has(one)) }
}

function growthOf(name: string, small: Run, report: CaseReport): Growth[] {
  const before = small.cases[name]
  if (before === undefined) return []
  const figures = Object.keys(report.figures) as FigureName[]
  return figures.flatMap((figure) => {
    const [was, now] = [before.figures[figure], report.figures[figure]]
    const ceiling = ceilings[figure]
    if (ceiling !== undefined ? now <= ceiling : now <= was * ratio + (slack[figure] ?? 0)) return []
    return [{ case: name, figure, before: was, after: now }]
  })
}

function excuses(
  exception: CostException,
  growth: Growth,
  small: ScaleFigures,
  large: ScaleFigures,
): boolean {
  const { figure, before, after } = growth
  const most = exception.atMost?.[figure]
  if (most !== undefined) return after <= most
  const factor = exception.factors?.[figure]
  if (exception.per === undefined || factor === undefined) return false
  const more = large[exception.per] - small[exception.per]
  return after - before <= factor * more + (slack[figure] ?? 0)
}

const textOf = ({ case: name, figure, before, after }: Growth): string =>
  `${name}: ${figure} ${before} → ${after}`
