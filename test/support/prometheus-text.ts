/** A metric as a scraper reads it. */
export interface ScrapedMetric {
  readonly type: string
  readonly help: string
  readonly samples: Map<string, number>
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"`
const helpLine = new RegExp(`^# HELP (${name}) (.+)$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary|untyped)$`)
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?)$`)

/**
 * Parses the text format of Prometheus 0.0.4 strictly: HELP and TYPE before the samples, each metric in one block, each
 * series once. Throws for anything else.
 */
export function parseMetrics(text: string): ReadonlyMap<string, ScrapedMetric> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const metrics = new Map<string, ScrapedMetric>()
  let current: { readonly name: string; readonly help: string } | null = null
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helped, help = ''] = helpLine.exec(line) ?? []
    const [, typed, type = ''] = typeLine.exec(line) ?? []
    const [, sampled, labels = '', value] = sampleLine.exec(line) ?? []
    if (helped !== undefined) {
      if (metrics.has(helped)) throw new Error(`${helped} is in two blocks`)
      current = { name: helped, help }
    } else if (typed !== undefined) {
      if (current?.name !== typed || metrics.has(typed))
        throw new Error(`The type of ${typed} is out of place`)
      metrics.set(typed, { type, help: current.help, samples: new Map() })
    } else if (sampled !== undefined) {
      const metric = metrics.get(sampled)
      if (metric === undefined || current?.name !== sampled) throw new Error(`${sampled} is out of place`)
      if (metric.samples.has(labels)) throw new Error(`${sampled} has the series ${labels} twice`)
      metric.samples.set(labels, Number(value))
    } else throw new Error(`Not the text format: ${line}`)
  }
  return metrics
}

/** Violations of the naming conventions, as promtool reports them. */
export function namingProblems(metrics: ReadonlyMap<string, ScrapedMetric>): readonly string[] {
  return [...metrics].flatMap(([metric, { type, help, samples }]) => [
    ...(metric.endsWith('_total') === (type === 'counter') ? [] : [`${metric}: only counters end in _total`]),
    ...(/_(count|sum|bucket)$/.test(metric) ? [`${metric}: reserved ending`] : []),
    ...(/(milliseconds|minutes|hours|kilobytes|megabytes|percent)/.test(metric)
      ? [`${metric}: base units`]
      : []),
    ...(/^[a-z][a-z0-9_]*$/.test(metric) ? [] : [`${metric}: snake case`]),
    ...(help.trim() === '' ? [`${metric}: no help`] : []),
    ...(samples.size === 0 ? [`${metric}: no samples`] : []),
  ])
}
