/**
 * The stand-in of the video and comment-thread service, as strict as its public contract: filters, parts, bounds,
 * page tokens, quota, error bodies, updates by part, uploads. Items come in another order than that of the request,
 * and unknown ids are left out.
 */
export { sampleChannels, sampleVideos } from './sample-ids.ts'
export { VideosStandIn } from './stand-in.ts'
