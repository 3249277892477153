/** Milliseconds of CPU time that a request has on the free plan. */
export const freeMilliseconds = 10
/** Share above which runs differ by more than the rest: a post took 7.5 ms in one, and 8 to 12 in others. */
const certainPart = 0.7

/**
 * Whether a request works on the free plan. Where the whole runtime takes no longer than a request may, the Worker does not
 * either; where both take longer, it does not work. What takes nearly all of the time by the profiler is in doubt. `runtime` is null where it was not counted.
 */
export function rateWorkerCpu({ worker, runtime }) {
  if (worker > freeMilliseconds) return 'needs Paid'
  if (runtime !== null && runtime <= freeMilliseconds) return 'fits'
  return worker > freeMilliseconds * certainPart ? 'in doubt' : 'fits by the profiler'
}

/** The table of the documents. */
export function tableOfCpu(figures) {
  const lines = figures.map(
    ({ action, worker, runtime }) =>
      `| ${action} | ${rounded(worker)} | ${rounded(runtime)} | ${rateWorkerCpu({ worker, runtime })} |`,
  )
  const head = ['| request | Worker, ms | whole runtime, ms | 10 ms of Free |', '| --- | --- | --- | --- |']
  return `${[...head, ...lines].join('\n')}\n\n${explained(figures)}`
}

/** Sentences about the table: the costliest request, and what does not fit. */
function explained(figures) {
  const named = (verdict) =>
    figures
      .filter(({ worker, runtime }) => rateWorkerCpu({ worker, runtime }) === verdict)
      .map(({ action }) => action)
  const [dear, doubtful] = [named('needs Paid'), named('in doubt')]
  const most = Math.max(...figures.map(({ worker }) => worker))
  return [
    `The costliest takes ${rounded(most)} ms of the Worker.`,
    dear.length === 0 ? 'Nothing needs the paid plan.' : `Needs the paid plan: ${dear.join('; ')}.`,
    ...(doubtful.length === 0 ? [] : [`In doubt: ${doubtful.join('; ')}.`]),
  ].join(' ')
}

const rounded = (figure) => (figure === null ? '' : figure < 10 ? figure.toFixed(1) : figure.toFixed(0))

/** The middle one of figures in order. */
export function medianOf(figures) {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)]
}
