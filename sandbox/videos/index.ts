/** The stand-in of the video and comment-thread service, as strict as its public contract. */
export { sampleChannels, sampleVideos } from './sample-ids.ts'
export { VideosStandIn } from './stand-in.ts'
