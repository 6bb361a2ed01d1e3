// Runs before every npm script but `start`. It needs Node.js 20 or newer and no dependencies.
import { ensureInstalled } from './installed.mjs';

ensureInstalled();
