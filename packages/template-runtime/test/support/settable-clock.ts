import { statSync } from 'node:fs';

/** Preloaded into a process and its threads. Their clock is an hour behind as long as the file exists. */
const file = process.env.CLOCK_SET_BACK_BY ?? '';
const now = Date.now.bind(Date);
Date.now = () => (statSync(file, { throwIfNoEntry: false }) === undefined ? now() : now() - 3_600_000);
